import Accounts
import Catalogue
import Database

/// The statement of a page of videos.
struct VideoList {
    private(set) var arguments: [SQLValue] = []
    private(set) var sql = ""

    /// Up to so many videos of the members whom somebody follows are sorted; more are found by walking the list of all.
    static let maximumSortedCount: Int64 = 1_000
    /// Up to so many videos with the words of a search are sorted. With more, PostgreSQL would rather read the counters of
    /// all videos than look up those of each.
    static let rareWordLimit = 500

    /// - Parameters:
    ///   - query: which videos.
    ///   - words: the words that they have; `nil` for all.
    ///   - cursor: the end of the page before; `nil` for the first page.
    ///   - limit: number of rows.
    ///   - isFeedSparse: whether few of all videos are in the feed; see ``maximumSortedCount``.
    ///   - areWordsRare: whether few of all videos have the words.
    init(
        _ query: VideoQuery, words: FullTextQuery?, after cursor: VideoCursor?, limit: Int, isFeedSparse: Bool,
        areWordsRare: Bool, _ dialect: SQLDialect
    ) {
        let isLiked = query.reader.map { VideoRows.isLiked(by: parameter(.text($0.text))) } ?? "0"
        var conditions = ["c.isListed = 1", "title.state = 'ready'"]
        conditions += scope(query.scope, isFeedSparse: isFeedSparse)
        var (found, tables) = ("", "videoCount AS c")
        if let words {
            arguments.append(words.argument(for: dialect))
            let matches = dialect.fullTextMatches(in: VideoSchema.textTable, parameter: arguments.count)
            if areWordsRare {
                // On its own, because PostgreSQL expects many matches of every beginning of a word.
                found = "WITH found(number) AS MATERIALIZED (\(matches) LIMIT \(Self.rareWordLimit))"
                tables = "found CROSS JOIN \(tables)"
                conditions.append("c.video = found.number")
            } else {
                conditions.append(dialect.walking("c.video IN (\(matches))"))
            }
        }
        let columns = VideoCursor.columns(query.order)
        if let cursor {
            let places = cursor.keys.map { parameter(.integer($0)) }
            conditions.append("(\(columns.joined(separator: ", "))) < (\(places.joined(separator: ", ")))")
        }
        if let visible = query.visible { conditions.append(visible.condition("title") { parameter($0) }) }
        // In this order, so that the list is walked and its videos are looked up.
        sql = """
            \(found) SELECT \(VideoRows.columns), \(isLiked) FROM \(tables)
            CROSS JOIN communityVideo AS v CROSS JOIN title
            \(ProfileRows.shownAccount("v.ownerID")) LEFT JOIN competition ON competition.number = v.competition
            WHERE v.number = c.video AND title.number = v.titleNumber AND \(conditions.joined(separator: " AND "))
            ORDER BY \(columns.map { "\($0) DESC" }.joined(separator: ", ")) LIMIT \(parameter(SQLValue(limit)))
            """
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
