"""What Telegram weighs where it is not set up: nothing."""

import subprocess
import sys


def test_the_adapter_loads_no_client_before_it_runs() -> None:
    code = (
        "import sys, adapters.telegram.chat, adapters.telegram.checkup; "
        "print(sorted({'telegram', 'httpx', 'aiohttp'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
