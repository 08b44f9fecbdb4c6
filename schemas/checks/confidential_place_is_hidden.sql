-- table: core_directory__resources
-- severity: error
-- A confidential place is published without street and exact point.
SELECT resource_id, name, data_source
FROM core_directory__resources
WHERE is_confidential AND (address IS NOT NULL OR location_precision IN ('rooftop', 'street'))
