-- table: out_veterans__resources
-- severity: error
-- A resource for veterans has both coordinates or neither, a tract only in a county, a county only
-- in a state, a verified number only with a number, and its evidence; it changed after it was made.
SELECT id, r.lat, r.lng, fips_state, fips_county, fips_tract, phone_verified, created_at, updated_at
FROM out_veterans__resources r
LEFT JOIN out_veterans__details d USING (id)
WHERE (r.lat IS NULL) <> (r.lng IS NULL)
   OR (fips_county IS NOT NULL AND fips_state IS NULL)
   OR (fips_tract IS NOT NULL AND fips_county IS NULL)
   OR (phone_verified IS NOT NULL AND phone_e164 IS NULL)
   OR updated_at < created_at
   OR d.id IS NULL
