// The bytes of the texts in the language TAG, if there is a file of them.
#if __has_embed(TEXTS_OF(TAG))
static const unsigned char NAME_OF(TAG)[] = {
#embed TEXTS_OF(TAG)
};
#endif
#if __has_embed(FORMAL_TEXTS_OF(TAG))
static const unsigned char FORMAL_NAME_OF(TAG)[] = {
#embed FORMAL_TEXTS_OF(TAG)
};
#endif
