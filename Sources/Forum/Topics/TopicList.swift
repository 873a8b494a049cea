import Database

/// The statement of a page of topics: those of a category, pinned ones first, or the last ones of all categories of the
/// operators.
struct TopicList {
    private(set) var arguments: [SQLValue] = []
    private(set) var sql = ""

    /// - Parameters:
    ///   - category: the row number of the category; `nil` for all of the operators.
    ///   - cursor: where the page begins; `nil` for an end of the list.
    ///   - isForward: whether the list is read from the last comment on; otherwise from the other end.
    ///   - limit: number of rows.
    init(category: Int64?, after cursor: TopicCursor?, isForward: Bool, limit: Int) {
        var conditions: [String] = []
        if let category {
            conditions = ["t.category = \(parameter(.integer(category)))", "t.state = 'shown'"]
        } else {
            conditions = ["t.isListed = 1"]
        }
        let columns = category == nil ? ["t.lastAt", "t.number"] : ["t.isPinned", "t.lastAt", "t.number"]
        if let cursor {
            let common = [cursor.lastAt, cursor.number]
            let keys = category == nil ? common : [cursor.isPinned] + common
            let places = keys.map { parameter(.integer($0)) }
            conditions.append(
                "(\(columns.joined(separator: ", "))) \(isForward ? "<" : ">") (\(places.joined(separator: ", ")))")
        }
        let order = columns.map { isForward ? "\($0) DESC" : $0 }.joined(separator: ", ")
        // The rows of a page first, so that authors and categories are looked up for them only.
        sql = """
            SELECT \(TopicRows.columns) FROM (
                SELECT * FROM forumTopic AS t WHERE \(conditions.joined(separator: " AND "))
                ORDER BY \(order) LIMIT \(parameter(SQLValue(limit)))) AS t \(TopicRows.joins)
            ORDER BY \(order)
            """
    }

    private mutating func parameter(_ value: SQLValue) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }
}
