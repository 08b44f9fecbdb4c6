-- table: core_directory__resources
-- severity: error
-- No exact point is outside the ZIP code of its place, by half of that code's reach and 3 miles,
-- with three other ZIP codes nearer; and no list has ten places within a mile most of which are.
WITH exact AS (
    SELECT r.resource_id, r.name, r.data_source, r.address, r.lat, r.lng, z.extent_miles,
        2 * 3958.8 * asin(sqrt(
            sin(radians(z.lat - r.lat) / 2) ** 2
            + cos(radians(z.lat)) * cos(radians(r.lat)) * sin(radians(z.lng - r.lng) / 2) ** 2
        )) AS miles
    FROM core_directory__resources r
    JOIN core_geography__zips z ON z.zip = r.zip
    WHERE r.is_active AND r.location_precision IN ('rooftop', 'street')
        AND z.zip_kind = 'standard' AND z.lat IS NOT NULL AND NOT z.is_quality_low
),
far AS (SELECT * FROM exact WHERE miles > 1.5 * extent_miles + 3.05),
outside AS (
    SELECT f.resource_id, f.name, f.data_source, f.miles
    FROM far f
    JOIN core_geography__zips z ON z.zip_kind = 'standard' AND z.lat BETWEEN f.lat - 2 AND f.lat + 2
    WHERE 2 * 3958.8 * asin(sqrt(
            sin(radians(z.lat - f.lat) / 2) ** 2
            + cos(radians(z.lat)) * cos(radians(f.lat)) * sin(radians(z.lng - f.lng) / 2) ** 2
        )) < f.miles - 0.05
    GROUP BY ALL
    HAVING count(*) >= 3
),
invented AS (
    SELECT min(resource_id), 'invented points', data_source, median(miles)
    FROM exact
    GROUP BY data_source, round(lat * 50), round(lng * 50)
    HAVING count(DISTINCT address) >= 10
        AND avg(CASE WHEN miles > 1.5 * extent_miles + 3 THEN 1 ELSE 0 END) >= 0.5
)
SELECT * FROM outside
UNION ALL
SELECT * FROM invented
