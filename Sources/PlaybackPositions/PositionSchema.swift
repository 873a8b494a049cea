import Accounts
package import Database

/// The table of positions. Times are milliseconds.
package enum PositionSchema {
    static let positions = SQLTable(
        "position",
        [
            .identity("number"), .text("userID", .account), .text("kind"), .text("item"), .integer("position"),
            .integer("duration"), .integer("writtenAt"),
        ], uniques: [["userID", "kind", "item"]],
        indexes: [
            SQLIndex("position_user", "userID", "number"), SQLIndex("position_writtenAt", "writtenAt"),
        ])

    package static let schema = SQLSchema(domain: "positions", tables: [positions])
}
