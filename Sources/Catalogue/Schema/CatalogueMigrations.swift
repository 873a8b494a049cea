import Database

/// The published migrations of the catalogue. They are never edited; a new column needs none, see `SQLColumn`.
enum CatalogueMigrations {
    static let all: [SQLMigration] = [
        SQLMigration(1, "titles, audio tracks and jobs", oldestCompatibleVersion: 1) { db in
            try LegacyCatalogueSchema.upgrade(db)
            try createTables(db)
        },
        SQLMigration(2, "stored words, and lists in order without the rows", oldestCompatibleVersion: 1) { db in
            try storeWords(db)
            try coverLists(db)
        },
        // A server of the version before leaves both tables alone, and watches over nothing.
        SQLMigration(3, "audiences of single titles and tracks", oldestCompatibleVersion: 1) { db in
            try createAudiences(db)
        },
        // A server of the version before shows and writes the names that it knows; the next write of a record by
        // this one shows again what was chosen.
        SQLMigration(4, "details of titles and tracks, and what operators chose", oldestCompatibleVersion: 1) {
            db in
            try createDetails(db)
            for table in ["title", "audioTrack"] {
                try db.execute("CREATE INDEX \(table)_duration ON \(table)((coalesce(duration, 0)), id)")
            }
        },
        // A server of the version before shows the covers that are in the files.
        SQLMigration(
            5, "covers of tracks beside their files, and those that operators chose",
            oldestCompatibleVersion: 1
        ) { db in
            for column in ["uploadedCover", "coverFile", "coverOfFile"] {
                try db.execute("ALTER TABLE audioTrack ADD COLUMN \(column) \(db.dialect.name(of: .text))")
            }
        },
        // What a server of the version before writes comes onto the shelves a little later; see
        // `ShelfRows.placeAgain`.
        SQLMigration(6, "shelves: lists by section, genre, price and rating", oldestCompatibleVersion: 1) { db in
            try createShelves(db)
            for statement in db.dialect.fullTextTable("titlePieces") { try db.execute(statement) }
            try TitleRecord.rebuildLists(db)
        },
        // A server of the version before shows what is held, for the time for which both run.
        SQLMigration(7, "titles and tracks that are unlisted or hidden", oldestCompatibleVersion: 1) { db in
            try createHolds(db)
        },
        // A server of the version before would list what members send; it takes no files from them.
        SQLMigration(8, "files that members send", oldestCompatibleVersion: 1) { db in
            try createHeldFiles(db)
        },
        // A server of the version before leaves descriptions out of the pieces of the rows that it changes.
        SQLMigration(9, "search inside the words of descriptions", oldestCompatibleVersion: 1) { db in
            try addMissingColumns(db)
            try TitleRecord.refreshPieces(db)
        },
        // What a server of the version before writes about titles comes into series as it comes onto shelves;
        // tracks come into albums with the next write of their record.
        SQLMigration(10, "series, albums and artists", oldestCompatibleVersion: 1) { db in
            try addMissingColumns(db)
            try createCollections(db)
            try CollectionRows.rebuildAll(db)
        },
        // A server of the version before leaves tracks that it adds out of the pieces.
        SQLMigration(11, "search inside the words of tracks", oldestCompatibleVersion: 1) { db in
            for statement in db.dialect.fullTextTable("audioTrackPieces") { try db.execute(statement) }
            try AudioTrackRecord.rebuildPieces(db)
        },
        // What a server of the version before adds is a film, until it is placed again with its kind.
        SQLMigration(12, "kinds of titles", oldestCompatibleVersion: 1) { db in
            // The migrations that read titles as this version does have added them, too.
            try addMissingColumns(db)
            try db.execute("CREATE INDEX IF NOT EXISTS title_kindNewest ON title(kind, state, number)")
            try db.execute("CREATE INDEX IF NOT EXISTS title_kindOrder ON title(kind, sortKey, id)")
            try TitleKindRows.refreshAll(db)
        },
        // Recordings that a server of the version before adds come into the list of their channel when they change.
        SQLMigration(13, "the recordings of each channel", oldestCompatibleVersion: 1) { db in
            try TitleRecord.forEach(db, where: TitleKindRows.isRecording) { record, number in
                try record.updateLists(number: number, db)
            }
        },
        SQLMigration(14, "lists of films by age and by duration without sorting", oldestCompatibleVersion: 1) { db in
            try db.execute("CREATE INDEX IF NOT EXISTS title_kindNumber ON title(kind, number)")
            try db.execute("CREATE INDEX IF NOT EXISTS title_kindDuration ON title(kind, (coalesce(duration, 0)), id)")
        },
    ]

    /// Adds what the tables of records lack, because a migration that reads records does so as this version does.
    private static func addMissingColumns(_ db: any SQLConnection) throws {
        for table in [TitleRecord.table, AudioTrackRecord.table, ShelfRows.listings] {
            try db.addMissingColumns(of: table)
        }
    }

    // MARK: Migration 1

    /// Creates what does not exist. Files of the versions before this layer have all tables, with types of other names
    /// that mean the same to SQLite.
    private static func createTables(_ db: any SQLConnection) throws {
        try createLibraryTables(db)
        try createSmallTables(db)
        for index in indexes { try db.execute("CREATE INDEX IF NOT EXISTS \(index.name) ON \(index.columns)") }
    }

    private static let indexes: [(name: String, columns: String)] =
        ["title", "audioTrack"].flatMap { table in
            [
                ("\(table)_order", "\(table)(sortKey, id)"), ("\(table)_newest", "\(table)(state, number)"),
                ("\(table)_duplicateOf", "\(table)(duplicateOf) WHERE duplicateOf IS NOT NULL"),
            ]
        } + [
            ("job_state", "job(state, number)"),
            ("contentDigest_sample", "contentDigest(section, byteCount, sample) WHERE original IS NULL"),
            ("contentDigest_original", "contentDigest(section, original) WHERE original IS NOT NULL"),
            ("formerFile_subject", "formerFile(section, subject)"),
        ]

    private static func createLibraryTables(_ db: any SQLConnection) throws {
        let (text, integer, real) = (
            db.dialect.name(of: .text), db.dialect.name(of: .integer), db.dialect.name(of: .real)
        )
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS title(
                number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, title \(text) NOT NULL,
                file \(text) NOT NULL UNIQUE, sourcePath \(text) NOT NULL, mediaPath \(text), state \(text) NOT NULL,
                progress \(real), error \(text), ingestSeconds \(real), duration \(real), width \(integer),
                height \(integer), frameRate \(real), videoCodec \(text), audioCodec \(text),
                byteCount \(integer) NOT NULL, modifiedAt \(text) NOT NULL, revision \(text) NOT NULL, poster \(text),
                addedAt \(text) NOT NULL, sortKey \(text) NOT NULL DEFAULT '', duplicateOf \(text), posterTime \(real),
                uploadedPoster \(text), storyboard \(text), leftOut \(text))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS audioTrack(
                number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, title \(text) NOT NULL,
                artist \(text), album \(text), year \(integer), trackNumber \(integer), genre \(text),
                file \(text) NOT NULL UNIQUE, sourcePath \(text) NOT NULL, mediaPath \(text), state \(text) NOT NULL,
                error \(text), ingestSeconds \(real), duration \(real), codec \(text), sampleRate \(integer),
                channels \(integer), byteCount \(integer) NOT NULL, modifiedAt \(text) NOT NULL,
                revision \(text) NOT NULL, cover \(text), coverMediaType \(text), addedAt \(text) NOT NULL,
                sortKey \(text) NOT NULL DEFAULT '', duplicateOf \(text))
            """)
        for statement in ["titleSearch", "audioTrackSearch"].flatMap(db.dialect.firstFullTextTable) {
            try db.execute(statement)
        }
    }

    private static func createSmallTables(_ db: any SQLConnection) throws {
        let (text, integer, real) = (
            db.dialect.name(of: .text), db.dialect.name(of: .integer), db.dialect.name(of: .real)
        )
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS job(
                number \(db.dialect.identityColumn), kind \(text) NOT NULL, subject \(text), section \(text),
                file \(text) NOT NULL, origin \(text), byteCount \(integer), state \(text) NOT NULL, phase \(text),
                progress \(real), error \(text), attempt \(integer) NOT NULL, priority \(integer) NOT NULL,
                createdAt \(text) NOT NULL, startedAt \(text), endedAt \(text), message \(text), parameters \(text))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS contentDigest(
                section \(text) NOT NULL, subject \(text) NOT NULL, revision \(text) NOT NULL,
                byteCount \(integer) NOT NULL, sample \(text) NOT NULL, whole \(text), original \(text),
                PRIMARY KEY (section, subject))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS formerFile(
                section \(text) NOT NULL, file \(text) NOT NULL, subject \(text) NOT NULL,
                PRIMARY KEY (section, file))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS counter(
                name \(text) PRIMARY KEY, value \(integer) NOT NULL)
            """)
    }

    // MARK: Later migrations

    private static func storeWords(_ db: any SQLConnection) throws {
        for table in ["titleSearch", "audioTrackSearch"] {
            for statement in db.dialect.fullTextUpgrade(of: table) { try db.execute(statement) }
        }
    }

    /// Lets a search that finds many records walk the order of the list without reading the rows that do not match.
    private static func coverLists(_ db: any SQLConnection) throws {
        for table in ["title", "audioTrack"] {
            let end = db.dialect.includingRowNumber("number")
            guard !end.isEmpty else { continue }
            try db.execute("DROP INDEX IF EXISTS \(table)_order")
            try db.execute("CREATE INDEX \(table)_order ON \(table)(sortKey, id)\(end)")
        }
    }

    private static func createAudiences(_ db: any SQLConnection) throws {
        let text = db.dialect.name(of: .text)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS audienceRule(
                section \(text) NOT NULL, subject \(text) NOT NULL, audience \(text) NOT NULL,
                PRIMARY KEY (section, subject))
            """)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS audienceGrant(
                section \(text) NOT NULL, subject \(text) NOT NULL, userID \(text) NOT NULL,
                PRIMARY KEY (section, subject, userID))
            """)
    }

    private static func createDetails(_ db: any SQLConnection) throws {
        let text = db.dialect.name(of: .text)
        try db.execute(
            """
            CREATE TABLE itemDetails(
                section \(text) NOT NULL, subject \(text) NOT NULL, source \(text) NOT NULL, details \(text) NOT NULL,
                mark \(text), PRIMARY KEY (section, subject, source))
            """)
        for table in ["title", "audioTrack"] {
            for column in ["details", "fileDetails"] {
                try db.execute("ALTER TABLE \(table) ADD COLUMN \(column) \(text)")
            }
        }
        try db.execute("ALTER TABLE title ADD COLUMN posterFile \(text)")
    }

    private static func createShelves(_ db: any SQLConnection) throws {
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.execute(
            """
            CREATE TABLE titleListing(
                titleNumber \(integer) PRIMARY KEY, price \(integer) NOT NULL, regularPrice \(integer),
                featured \(integer) NOT NULL, voteCount \(integer) NOT NULL, ratingSum \(integer) NOT NULL)
            """)
        try addMissingColumns(db)
        try db.execute(
            """
            CREATE TABLE titleShelf(
                shelf \(text) NOT NULL, titleNumber \(integer) NOT NULL, label \(text) NOT NULL,
                addedAt \(integer) NOT NULL, price \(integer) NOT NULL, rating \(integer) NOT NULL,
                voteCount \(integer) NOT NULL, sortKey \(text) NOT NULL, PRIMARY KEY (shelf, titleNumber))
            """)
        for index in [
            "titleShelf_title ON titleShelf(titleNumber)",
            "titleShelf_newest ON titleShelf(shelf, addedAt, titleNumber)",
            "titleShelf_order ON titleShelf(shelf, sortKey, titleNumber)",
            "titleShelf_price ON titleShelf(shelf, price, titleNumber)",
            "titleShelf_rating ON titleShelf(shelf, rating, voteCount, titleNumber)",
        ] { try db.execute("CREATE INDEX \(index)") }
    }

    private static func createHolds(_ db: any SQLConnection) throws {
        let text = db.dialect.name(of: .text)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS audienceHold(
                section \(text) NOT NULL, subject \(text) NOT NULL, reason \(text) NOT NULL,
                PRIMARY KEY (section, subject))
            """)
    }

    private static func createHeldFiles(_ db: any SQLConnection) throws {
        let text = db.dialect.name(of: .text)
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS heldFile(
                section \(text) NOT NULL, file \(text) NOT NULL, PRIMARY KEY (section, file))
            """)
    }

    private static func createCollections(_ db: any SQLConnection) throws {
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        let tables = ["titleCollection", "trackCollection"]
        for table in tables {
            try db.execute(
                """
                CREATE TABLE \(table)(
                    list \(text) NOT NULL, recordNumber \(integer) NOT NULL, collection \(text) NOT NULL,
                    place \(text) NOT NULL, name \(text) NOT NULL, artist \(text), artistName \(text),
                    part \(integer) NOT NULL, position \(integer) NOT NULL, sortKey \(text) NOT NULL,
                    PRIMARY KEY (list, recordNumber))
                """)
        }
        for table in tables {
            try db.execute("CREATE INDEX \(table)_record ON \(table)(recordNumber)")
            try db.execute(
                "CREATE INDEX \(table)_order ON \(table)(list, place, part, position, sortKey, recordNumber)")
            try db.execute("CREATE INDEX \(table)_collection ON \(table)(list, collection)")
        }
    }
}
