package import Database

/// The tables that say which files of the library lie in the media store.
package enum StoredFileSchema {
    static let files = SQLTable(
        "storedFile",
        [
            .text("objectKey"), .text("place"), .integer("state"), .integer("byteCount"),
            .integer("modificationTime"), .text("version"), .text("sha256"), .integer("changedAt"),
        ], key: ["objectKey"],
        indexes: [
            // A place has one object; objects that are being put, or wait to be deleted, do not count.
            .unique("storedFile_place", "place", where: "state = 1"),
            SQLIndex("storedFile_state", "state", "objectKey"),
        ])
    /// Has one row: the store that the objects are in.
    static let store = SQLTable(
        "mediaStore",
        [.integer("number"), .text("address")], key: ["number"])

    package static let schema = SQLSchema(
        domain: "mediaStore", migrations: StoredFileMigrations.all,
        tables: [files, store])
}
