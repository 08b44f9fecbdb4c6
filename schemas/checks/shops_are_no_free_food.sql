-- table: core_directory__resources
-- severity: error
-- Of the places with free food at most one in a hundred has a shop's name: food is sold there.
WITH free AS (
    SELECT resource_id, name, data_source, regexp_matches(
        name,
        '(?i)\b(?:supermarket|convenience store|gas station|liquor|7-eleven|dollar (?:general|tree|store)|family dollar)\b'
    ) AS is_shop
    FROM core_directory__resources
    WHERE is_active AND resource_type IN (
        'food_pantry', 'food_bank', 'soup_kitchen', 'mobile_pantry', 'community_fridge',
        'emergency', 'tribal_food', 'senior_commodity'
    )
)
SELECT resource_id, name, data_source
FROM free
WHERE is_shop AND (SELECT avg(is_shop::INT) FROM free) > 0.01
