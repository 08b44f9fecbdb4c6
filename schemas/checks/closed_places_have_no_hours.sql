-- table: core_directory__resources
-- severity: error
-- A place that is closed for now has no rules of hours that would call it open.
SELECT resource_id, name, closure
FROM core_directory__resources
WHERE closure IS NOT NULL AND schedules_json IS NOT NULL
