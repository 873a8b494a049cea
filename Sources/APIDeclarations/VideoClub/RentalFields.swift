package import APIContract

/// The fields of a rental: the right of a member to watch a title.
package struct RentalFields: ObjectFields {
    package static let name = "Rental"
    package static let fields = RentalFields()

    package let id = Field<String>("id", "identifier of the rental", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let title = Field<String>("title", "ID of the title", .example("film"))
    package let name = Field<String>("name", "name of the title when it was rented", .example("Garden of life"))
    package let price = Field<Int>("price", "number of credits that were paid", .minimum(0))
    package let state = Field<String>(
        "state", "state: its time has not begun, runs, or is over, or the credits were given back",
        .oneOf("rented", "activated", "expired", "refunded"))
    package let rentedAt = Field<APITime>("rentedAt", "time at which the title was rented")
    package let startsBefore = Field<APITime?>(
        "startsBefore", "time by which the rental has to be activated; null for no limit")
    package let minutesToPlay = Field<Int>(
        "minutesToPlay", "minutes for which the title can be watched after the activation")
    package let activatedAt = Field<APITime?>("activatedAt", "time of the activation; null before it")
    package let endsAt = Field<APITime?>("endsAt", "end of the time to watch; null before the activation")
    package let endReason = Field<String?>(
        "endReason", "reason for the end; null while the rental has not ended",
        .oneOf("expired", "refunded", "title-removed"))
    package let playlist = Field<String?>(
        "playlist",
        "address at which any HLS player watches it without cookies; null before the activation and after the end",
        .example("/vod/film/playlist.m3u8"))
    package let offline = Field<APIObject<RentalOfflineFields>>(
        "offline", "state of the copies on the member's devices; missing in exports and in the answers to devices",
        .optional)

    package init() {}
}
