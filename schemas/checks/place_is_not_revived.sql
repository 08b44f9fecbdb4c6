-- table: core_directory__resources
-- severity: error
-- A place that was merged, retired or closed by a rule or reviewer is not listed.
SELECT r.resource_id, r.name, i.id_status AS why
FROM core_directory__resources r
JOIN core_directory__identities i ON i.resource_id = r.resource_id
WHERE r.is_active AND i.id_status <> 'active'
UNION ALL
SELECT r.resource_id, r.name, c.rule_id
FROM core_directory__resources r
JOIN core_directory__automatic_changes c ON c.resource_id = r.resource_id
WHERE r.is_active AND c.changed_field = 'is_active' AND c.new_value = 'false'
