package import Accounts
package import Database

/// Parts of statements that find the members who are told of topics and comments. The parameters that are passed are
/// those of the statement.
package enum ForumAudience {
    /// A table of the members who are told of a comment, with `userID` and `isFollower`, which is 0 for members who
    /// have commented in the topic themselves: its author, those who are quoted, and everybody else who talks there.
    /// The nearest choice of a member counts: that for the topic, then that for the category, then that for the forum.
    ///
    /// - Parameters:
    ///   - topic: the row number of the topic.
    ///   - category: the row number of its category.
    ///   - name: the name of the table in the statement.
    package static func commentReaders(topic: String, category: String, as name: String) -> String {
        let topicOff = isChosen(.topic, topic, isOn: 0, "list.userID")
        let categoryOff = isChosen(.category, category, isOn: 0, "list.userID")
        func followers(_ scope: ForumFollow.Scope, _ subject: String) -> String {
            "SELECT userID FROM forumFollow WHERE scope = '\(scope.rawValue)' AND subject = \(subject) AND isOn = 1"
        }
        return """
            (SELECT userID, MIN(isFollower) AS isFollower FROM (
                SELECT userID, 0 AS isFollower FROM forumParticipant AS list WHERE topic = \(topic) AND NOT \(topicOff)
                UNION ALL SELECT userID, 1 FROM (\(followers(.topic, topic))) AS list
                UNION ALL SELECT userID, 1 FROM (\(followers(.category, category))) AS list WHERE NOT \(topicOff)
                UNION ALL SELECT userID, 1 FROM (\(followers(.all, "0"))) AS list
                    WHERE NOT \(topicOff) AND NOT \(categoryOff)) AS listed GROUP BY userID) AS \(name)
            """
    }

    /// The members of a list who want to hear nothing of new topics of a category.
    ///
    /// - Parameters:
    ///   - category: the row number of the category.
    ///   - members: the list.
    ///   - db: the connection.
    package static func silenced(
        _ category: Int64, among members: [UserID], _ db: any SQLConnection
    ) throws -> Set<UserID> {
        guard !members.isEmpty else { return [] }
        let rows = try db.rows(
            """
            SELECT userID, scope, isOn FROM forumFollow
            WHERE userID IN (\(SQLParameters.list(members.count)))
                AND (scope = 'all' OR scope = 'category' AND subject = ?\(members.count + 1))
            """, members.map { .text($0.text) } + [.integer(category)]
        ) { row in
            (
                member: try row.value("userID") as UserID, isOfCategory: (try row.value("scope") as String) != "all",
                isOn: try row.flag("isOn")
            )
        }
        return Set(
            Dictionary(grouping: rows, by: \.member).compactMap { member, rows in
                let nearest = rows.first { $0.isOfCategory } ?? rows[0]
                return nearest.isOn ? nil : member
            })
    }

    private static func isChosen(_ scope: ForumFollow.Scope, _ subject: String, isOn: Int, _ member: String) -> String {
        """
        EXISTS (SELECT 1 FROM forumFollow AS chosen WHERE chosen.userID = \(member)
            AND chosen.scope = '\(scope.rawValue)' AND chosen.subject = \(subject) AND chosen.isOn = \(isOn))
        """
    }
}
