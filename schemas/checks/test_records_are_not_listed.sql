-- table: core_directory__resources
-- severity: error
-- No row that someone made to try a form is listed.
SELECT resource_id, name, data_source
FROM core_directory__resources
WHERE is_active AND regexp_full_match(
    lower(name), '(test|sample|dummy|fake)( (test|food|pantry|bank|site|location))*( ?#?[0-9]+)?|.* test (pantry|site|location)'
)
