"""Stories and scenarios played through the whole house on a virtual clock."""
