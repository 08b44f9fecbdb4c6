-- table: core_directory__resources
-- severity: error
-- The youngest age that a place serves is not above the oldest.
SELECT resource_id, name, minimum_age, maximum_age
FROM core_directory__resources
WHERE minimum_age > maximum_age
