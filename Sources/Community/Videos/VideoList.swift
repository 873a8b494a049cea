import Accounts
import Catalogue
import Database

/// The statement of a page of videos.
struct VideoList {
    private(set) var arguments: [SQLValue] = []
    private(set) var sql = ""

    /// Up to so many videos of the members whom somebody follows are sorted; more are found by walking the list of all.
    static let maximumSortedCount: Int64 = 1_000
    /// Up to so many videos with the words of a search are looked up and sorted. With more, the list is walked until
    /// the page is full.
    static let rareWordLimit = 2_000

    /// The ways to the videos with some words.
    enum Search: CaseIterable {
        /// Looks all of them up and sorts them; for words that few videos have.
        case few
        /// Walks the first rows of the list and looks each of them up in the index. Most pages of common words are full
        /// then.
        case beginning
        /// Reads the numbers of all of them and walks the list.
        case many
    }

    /// - Parameters:
    ///   - query: which videos.
    ///   - words: the words that they have; `nil` for all.
    ///   - cursor: the end of the page before; `nil` for the first page.
    ///   - limit: number of rows.
    ///   - isFeedSparse: whether few of all videos are in the feed; see ``maximumSortedCount``.
    ///   - search: the way to the videos with the words.
    init(
        _ query: VideoQuery, words: FullTextQuery?, after cursor: VideoCursor?, limit: Int, isFeedSparse: Bool,
        search: Search = .few, _ dialect: SQLDialect
    ) {
        let isLiked = query.reader.map { VideoRows.isLiked(by: parameter(.text($0.text))) } ?? "0 AS isLiked"
        var conditions = ["c.isListed = 1"]
        conditions += scope(query.scope, isFeedSparse: isFeedSparse)
        let title = VideoRows.title
        let columns = VideoCursor.columns(query.order)
        let order = columns.map { "\($0) DESC" }.joined(separator: ", ")
        if let cursor {
            let places = cursor.keys.map { parameter(.integer($0)) }
            conditions.append("(\(columns.joined(separator: ", "))) < (\(places.joined(separator: ", ")))")
        }
        let listed = conditions.joined(separator: " AND ")
        var list = (table: "videoCount AS c", condition: listed)
        if let words { list = found(words, search, listed, order: order, dialect) }
        let shown = query.visible.map { " AND \($0.condition(title.name) { parameter($0) })" } ?? ""
        // In this order, so that the list is walked and its videos are looked up.
        sql = """
            SELECT \(VideoRows.columns), \(isLiked) FROM \(list.table) CROSS JOIN communityVideo AS v
            CROSS JOIN \(title.table) \(ProfileRows.shownAccount("v.ownerID")) LEFT JOIN competition ON competition.number = v.competition
            WHERE v.number = c.video AND \(title.condition("v.titleNumber")) AND \(title.isReady)
                AND \(list.condition)\(shown)
            ORDER BY \(order) LIMIT \(parameter(SQLValue(limit)))
            """
    }

    /// The table `c` of the list's videos and the condition that they have some words.
    private mutating func found(
        _ words: FullTextQuery, _ search: Search, _ listed: String, order: String, _ dialect: SQLDialect
    ) -> (table: String, condition: String) {
        func rows(_ condition: String, limit: String = "") -> String {
            "(SELECT * FROM videoCount AS c WHERE \(condition) ORDER BY \(order)\(limit)) AS c"
        }
        switch search {
        case .few:
            let matches = matches(words, dialect)
            let isFound = dialect.isOne("c.video", of: "\(matches) LIMIT \(Self.rareWordLimit)")
            return (rows("\(listed) AND \(isFound)"), "c.isListed = 1")
        case .beginning:
            let isFound = words.condition(on: "c.video", in: VideoSchema.textTable, for: dialect) { parameter($0) }
            return (rows(listed, limit: " LIMIT \(FullTextQuery.lookedUpRowCount)"), isFound)
        case .many:
            // `IS TRUE` keeps both engines from beginning with the videos that match.
            return ("videoCount AS c", "\(listed) AND (c.video IN (\(matches(words, dialect)))) IS TRUE")
        }
    }

    private mutating func matches(_ words: FullTextQuery, _ dialect: SQLDialect) -> String {
        arguments.append(words.argument(for: dialect))
        return dialect.fullTextMatches(in: VideoSchema.textTable, parameter: arguments.count)
    }

    /// Whether few videos have some words; see ``rareWordLimit``.
    static func areRare(_ words: FullTextQuery, _ db: any SQLConnection) throws -> Bool {
        let matches = db.dialect.fullTextMatches(in: VideoSchema.textTable, parameter: 1)
        let count: Int64? = try db.firstValue(
            "SELECT count(*) FROM (\(matches) LIMIT \(rareWordLimit + 1)) AS found", words.argument(for: db.dialect))
        return (count ?? 0) <= Int64(rareWordLimit)
    }

    private mutating func parameter(_ value: SQLValue) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }

    private mutating func scope(_ scope: VideoQuery.Scope, isFeedSparse: Bool) -> [String] {
        switch scope {
        case .all: return []
        case .competition(let id, let day):
            let competition = "c.competition = (SELECT number FROM competition WHERE id = \(parameter(.text(id.text))))"
            return [competition] + (day.map { ["c.day = \(parameter(SQLValue($0)))"] } ?? [])
        case .member(let owner): return ["c.ownerID = \(parameter(.text(owner.text)))"]
        case .feed(let reader):
            let reader = parameter(.text(reader.text))
            let followed = "SELECT followed FROM memberFollow WHERE follower = \(reader)"
            return [
                isFeedSparse
                    ? "c.ownerID IN (\(followed) UNION ALL SELECT \(reader))"
                    : "(c.ownerID = \(reader) OR EXISTS (\(followed) AND followed = c.ownerID))",
                BarrierRows.isNotMuted(by: reader, "c.ownerID"),
            ]
        }
    }
}
