import Accounts
import Database

/// The table of members' uploads.
enum UploadSchema {
    /// An upload outlives the account of its member until its file is deleted.
    static let uploads = SQLTable(
        "memberUpload",
        [
            .identity("number"), .text("id", .unique), .text("ownerID", .optional, .account(.setNull)),
            .text("upload", .optional), .text("file", .unique), .text("fileName"),
            .integer("byteCount", .check("byteCount > 0")), .text("contents"), .integer("isWanted"),
            .text("problem", .optional), .integer("isPrepared"), .integer("isRemoved"), .integer("isOpen"),
            .integer("titleNumber", .optional),
            .integer("video", .optional, .references("communityVideo", "number", .setNull)), .integer("createdAt"),
            .integer("revision"),
        ],
        indexes: [
            SQLIndex("memberUpload_owner", "ownerID", "number"),
            SQLIndex("memberUpload_title", "titleNumber"),
            SQLIndex("memberUpload_video", "video", where: "video IS NOT NULL"),
            // What the server has to do something about.
            SQLIndex("memberUpload_open", "number", where: "isOpen = 1"),
        ])
}
