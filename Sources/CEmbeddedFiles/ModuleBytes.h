// The bytes of the module MODULE of the player.
static const unsigned char MODULE_BYTES_OF(MODULE)[] = {
#embed MODULE_FILE_OF(MODULE)
};
