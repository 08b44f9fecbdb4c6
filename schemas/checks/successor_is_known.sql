-- table: core_directory__identities
-- severity: error
-- A merged id leads to an id that was published, and not to itself.
SELECT DISTINCT old.resource_id, old.successor_id
FROM core_directory__identities old
LEFT JOIN core_directory__identities new ON new.resource_id = old.successor_id
WHERE old.successor_id IS NOT NULL AND (new.resource_id IS NULL OR old.successor_id = old.resource_id)
