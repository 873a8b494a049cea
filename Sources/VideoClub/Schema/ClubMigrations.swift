import Catalogue
import Database

/// The published migrations of the video club. They are never edited; a new column needs none, see `SQLColumn`.
enum ClubMigrations {
    static let all = [
        SQLMigration(1, "credits, terms, rentals, votes", oldestCompatibleVersion: 1) { db in
            for definition in definitions(db.dialect) { try db.execute("CREATE TABLE \(definition)") }
            for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
            for index in uniqueIndexes { try db.execute("CREATE UNIQUE INDEX \(index.name) ON \(index.columns)") }
        },
        // A server of the version before writes terms without the new columns, which then keep what they had.
        SQLMigration(
            2, "offers and recommended titles, and prices and ratings in lists", oldestCompatibleVersion: 1
        ) { db in
            let integer = db.dialect.name(of: .integer)
            try db.execute("ALTER TABLE titleTerms ADD COLUMN regularPrice \(integer)")
            try db.execute("ALTER TABLE titleTerms ADD COLUMN featured \(integer) NOT NULL DEFAULT 0")
            try fillListings(db)
        },
        SQLMigration(3, "devices and offline copies", oldestCompatibleVersion: 1) { db in
            for definition in copyDefinitions(db.dialect) { try db.execute("CREATE TABLE \(definition)") }
            for index in copyIndexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        },
        // A server of an older version would pay without saying which gifts it pays with.
        SQLMigration(4, "credits that end", oldestCompatibleVersion: 4) { db in
            for definition in lotDefinitions(db.dialect) { try db.execute("CREATE TABLE \(definition)") }
            for index in lotIndexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        },
        // A server of the version before lets devices outlive the tokens that have added them.
        SQLMigration(5, "tokens of devices", oldestCompatibleVersion: 4) { db in
            let reference = "REFERENCES accountToken(id) ON DELETE CASCADE"
            try db.execute("ALTER TABLE clubDevice ADD COLUMN tokenID \(db.dialect.name(of: .text)) \(reference)")
        },
        // What a server of the version before makes a trailer becomes one in lists with the next sweep.
        SQLMigration(6, "trailers in lists", oldestCompatibleVersion: 4) { db in
            try markTrailers(db)
        },
    ]

    private static let indexes: [(name: String, columns: String)] = [
        ("titleTerms_trailer", "titleTerms(trailerNumber) WHERE trailerNumber IS NOT NULL"),
        ("rental_user", "rental(userID, number)"),
        ("rental_title", "rental(userID, titleNumber, number)"),
        ("rental_expiry", "rental(endsAt) WHERE endedAt IS NULL"),
        ("rental_start", "rental(startsBefore) WHERE endedAt IS NULL AND startsBefore IS NOT NULL"),
        ("rental_early", "rental(endsAt) WHERE endedAt IS NOT NULL"),
        ("rental_open", "rental(titleNumber) WHERE endedAt IS NULL"),
        ("creditMovement_rental", "creditMovement(rentalID) WHERE rentalID IS NOT NULL"),
    ]

    /// No two rows may have the same.
    private static let uniqueIndexes: [(name: String, columns: String)] = [
        // A member holds a title once.
        ("rental_held", "rental(userID, titleNumber) WHERE endedAt IS NULL"),
        ("creditLine_position", "creditLine(account, position)"),
        // A movement is taken back once.
        ("creditMovement_reverses", "creditMovement(reverses) WHERE reverses IS NOT NULL"),
    ]

    private static let copyIndexes: [(name: String, columns: String)] = [
        ("clubDevice_user", "clubDevice(userID, number)"),
        ("offlineDownload_device", "offlineDownload(deviceID)"),
    ]

    private static let lotIndexes: [(name: String, columns: String)] = [
        ("creditLot_account", "creditLot(account, expiresAt) WHERE remaining > 0"),
        ("creditLot_expiry", "creditLot(expiresAt) WHERE remaining > 0"),
        ("creditLot_gift", "creditLot(gift)"), ("creditLot_movement", "creditLot(movement)"),
        ("creditLotUse_lot", "creditLotUse(lot)"),
        ("titleVote_user", "titleVote(userID, titleNumber)"),
    ]

    private static func copyDefinitions(_ dialect: SQLDialect) -> [String] {
        let (text, integer, blob) = (dialect.name(of: .text), dialect.name(of: .integer), dialect.name(of: .blob))
        return [
            """
            clubDevice(
                number \(dialect.identityColumn), id \(text) NOT NULL UNIQUE,
                userID \(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE, name \(text) NOT NULL,
                digest \(blob) NOT NULL UNIQUE, publicKey \(blob) NOT NULL, createdAt \(integer) NOT NULL,
                lastUsedAt \(integer))
            """,
            // A rental has one copy of each rendition.
            """
            offlineCopy(
                id \(text) PRIMARY KEY, rentalID \(text) NOT NULL, rendition \(text) NOT NULL,
                revision \(text) NOT NULL, salt \(blob) NOT NULL, byteCount \(integer) NOT NULL,
                chunkByteCount \(integer) NOT NULL, digest \(blob), chunkDigests \(blob), preparedAt \(integer),
                UNIQUE (rentalID, rendition))
            """,
            """
            offlineDownload(
                copyID \(text) NOT NULL REFERENCES offlineCopy(id) ON DELETE CASCADE,
                deviceID \(text) NOT NULL REFERENCES clubDevice(id) ON DELETE CASCADE, state \(text) NOT NULL,
                changedAt \(integer) NOT NULL, PRIMARY KEY (copyID, deviceID))
            """,
        ]
    }

    /// Shows in lists which titles are the trailers of others.
    private static func markTrailers(_ db: any SQLConnection) throws {
        let trailers = try db.rows(
            """
            SELECT DISTINCT trailerNumber FROM titleTerms JOIN title ON title.number = titleNumber
            WHERE trailerNumber IS NOT NULL ORDER BY trailerNumber
            """
        ) { row in try row.value(0) as Int64 }
        for trailer in trailers { try ShelfRows.change(of: trailer, db) { $0.isTrailer = true } }
    }

    /// Number of titles that are put on their shelves at once.
    private static let shelfBatchSize = 1_000

    /// Shows in lists what terms and votes say.
    static func fillListings(_ db: any SQLConnection) throws {
        let integer = db.dialect.name(of: .integer)
        try db.execute(
            """
            INSERT INTO titleListing(titleNumber, price, regularPrice, featured, voteCount, ratingSum)
            SELECT number, COALESCE(price, 0), regularPrice, COALESCE(featured, 0), COALESCE(voteCount, 0),
                COALESCE(ratingSum, 0)
            FROM title LEFT JOIN titleTerms ON titleTerms.titleNumber = number
            LEFT JOIN (
                SELECT titleNumber, COUNT(*) AS voteCount, CAST(SUM(rating) AS \(integer)) AS ratingSum FROM titleVote
                GROUP BY titleNumber) AS tally ON tally.titleNumber = number
            WHERE price IS NOT NULL OR voteCount IS NOT NULL
            """)
        var last: Int64? = 0
        while let number = last { last = try ShelfRows.placeAgain(after: number, limit: shelfBatchSize, db) }
    }

    private static func lotDefinitions(_ dialect: SQLDialect) -> [String] {
        let (text, integer) = (dialect.name(of: .text), dialect.name(of: .integer))
        return [
            """
            creditLot(
                number \(dialect.identityColumn), gift \(integer) NOT NULL REFERENCES creditMovement(number),
                movement \(integer) NOT NULL REFERENCES creditMovement(number), account \(text) NOT NULL,
                expiresAt \(integer) NOT NULL, amount \(integer) NOT NULL CHECK (amount > 0),
                remaining \(integer) NOT NULL CHECK (remaining BETWEEN 0 AND amount))
            """,
            """
            creditLotUse(
                movement \(integer) NOT NULL REFERENCES creditMovement(number),
                lot \(integer) NOT NULL REFERENCES creditLot(number), amount \(integer) NOT NULL CHECK (amount > 0),
                PRIMARY KEY (movement, lot))
            """,
        ]
    }

    private static func definitions(_ dialect: SQLDialect) -> [String] {
        let (text, integer) = (dialect.name(of: .text), dialect.name(of: .integer))
        return [
            """
            titleTerms(
                titleNumber \(integer) PRIMARY KEY, price \(integer) NOT NULL CHECK (price >= 0),
                needsRental \(integer) NOT NULL, timeToStart \(integer), timeToPlay \(integer),
                trailerNumber \(integer), revision \(integer) NOT NULL)
            """,
            "clubVersion(name \(text) PRIMARY KEY, value \(integer) NOT NULL)",
            "creditAccount(account \(text) PRIMARY KEY, lineCount \(integer) NOT NULL)",
            """
            creditMovement(
                number \(dialect.identityColumn), id \(text) NOT NULL UNIQUE, reason \(text) NOT NULL,
                actorID \(text), requestKey \(text) UNIQUE, note \(text) NOT NULL, rentalID \(text),
                reverses \(text), happenedAt \(integer) NOT NULL)
            """,
            // The last defence against an overdraft, if all others have a mistake.
            """
            creditLine(
                movement \(integer) NOT NULL REFERENCES creditMovement(number), account \(text) NOT NULL,
                amount \(integer) NOT NULL, position \(integer), balance \(integer) CHECK (balance >= 0),
                PRIMARY KEY (movement, account))
            """,
            // A rental of somebody who has left stays without a name.
            """
            rental(
                number \(dialect.identityColumn), id \(text) NOT NULL UNIQUE,
                userID \(text) REFERENCES account(id) ON DELETE SET NULL, titleNumber \(integer) NOT NULL,
                titleID \(text) NOT NULL, titleName \(text) NOT NULL, price \(integer) NOT NULL CHECK (price >= 0),
                requestKey \(text) UNIQUE, rentedAt \(integer) NOT NULL, startsBefore \(integer),
                timeToPlay \(integer) NOT NULL, activatedAt \(integer), endsAt \(integer), endedAt \(integer),
                endReason \(text))
            """,
            """
            titleVote(
                titleNumber \(integer) NOT NULL, userID \(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                rating \(integer) NOT NULL CHECK (rating BETWEEN 1 AND 10), votedAt \(integer) NOT NULL,
                PRIMARY KEY (titleNumber, userID))
            """,
        ]
    }
}
