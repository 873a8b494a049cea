import Database

/// The rows of photos, which are deleted with their accounts. Each function runs inside the transaction of its caller.
enum PhotoRows {
    static func set(_ photo: AccountPhoto?, of user: UserID, _ db: any SQLConnection) throws {
        guard let photo else {
            try db.execute("DELETE FROM accountPhoto WHERE userID = ?1", .text(user.text))
            return
        }
        try db.upsert(["userID": .text(user.text), "jpeg": .blob(photo.jpeg)], into: AccountsSchema.photos)
    }

    static func photo(of user: UserID, _ db: any SQLConnection) throws -> AccountPhoto? {
        try photo("SELECT jpeg FROM accountPhoto WHERE userID = ?1", user.text, db)
    }

    static func photo(ofUsernameKey key: String, _ db: any SQLConnection) throws -> AccountPhoto? {
        try photo(
            "SELECT jpeg FROM accountPhoto WHERE userID = (SELECT id FROM account WHERE usernameKey = ?1)", key, db)
    }

    private static func photo(_ sql: String, _ key: String, _ db: any SQLConnection) throws -> AccountPhoto? {
        try db.first(sql, [.text(key)]) { row -> [UInt8] in try row.value(0) }.flatMap { AccountPhoto(jpeg: $0) }
    }
}
