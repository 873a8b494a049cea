// The row of the module MODULE in the table.
    {STRING_OF(MODULE), {MODULE_BYTES_OF(MODULE), sizeof MODULE_BYTES_OF(MODULE)}},
