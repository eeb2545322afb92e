-- find --
-- Who has it.
SELECT * FROM leases WHERE name = :name;

-- first --
-- Nobody ever had it.
INSERT INTO leases (name, owner, epoch, renewals, taken_at) VALUES (:name, :owner, 1, 0, :now)
ON CONFLICT (name) DO NOTHING;

-- take --
-- Take it over from one that was given up, or was not renewed since it was seen.
UPDATE leases SET owner = :owner, epoch = epoch + 1, renewals = 0, taken_at = :now
WHERE name = :name AND epoch = :epoch AND (owner = '' OR renewals = :renewals);

-- renew --
-- It is still held.
UPDATE leases SET renewals = renewals + 1 WHERE name = :name AND epoch = :epoch AND owner = :owner;

-- give_up --
-- Others need not wait.
UPDATE leases SET owner = '' WHERE name = :name AND epoch = :epoch AND owner = :owner;

-- every --
-- Who has what.
SELECT * FROM leases ORDER BY name;
