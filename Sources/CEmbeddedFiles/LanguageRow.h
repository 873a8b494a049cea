// The row of the language TAG in the table, if there is a file of its texts.
#if __has_embed(TEXTS_OF(TAG))
    {STRING_OF(TAG), {NAME_OF(TAG), sizeof NAME_OF(TAG)}},
#endif
#if __has_embed(FORMAL_TEXTS_OF(TAG))
    {STRING_OF(TAG) "-formal", {FORMAL_NAME_OF(TAG), sizeof FORMAL_NAME_OF(TAG)}},
#endif
