-- table: core_directory__resources
-- severity: warn
-- Hours of more than ten hours are not certain at a place that gives food.
SELECT resource_id, name, hours_json, data_source
FROM core_directory__resources,
     unnest(regexp_extract_all(hours_json, '\d\d:\d\d-\d\d:\d\d')) AS spans (span)
WHERE is_active
  AND resource_type IN ('food_pantry', 'food_bank', 'soup_kitchen', 'mobile_pantry', 'emergency')
  AND span <> '00:00-24:00'
  AND (60 * (span[7:8]::INT - span[1:2]::INT) + span[10:11]::INT - span[4:5]::INT + 1440) % 1440 > 600
