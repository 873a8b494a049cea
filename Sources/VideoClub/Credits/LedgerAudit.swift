import Database

/// Compares the ledger with its own rules. Runs inside the transaction of its caller.
enum LedgerAudit {
    /// A rule, as a query for what breaks it: a name and a text.
    private struct Rule: Sendable {
        var query: String
        /// The sentence about a finding.
        var sentence: @Sendable (_ name: String, _ detail: String) -> String
    }

    private static let rules =
        [
            Rule(
                query: """
                    SELECT m.id, CAST(COALESCE(SUM(l.amount), 0) AS TEXT) || ' in ' || CAST(COUNT(l.account) AS TEXT)
                    FROM creditMovement AS m LEFT JOIN creditLine AS l ON l.movement = m.number
                    GROUP BY m.number, m.id HAVING COALESCE(SUM(l.amount), 0) <> 0 OR COUNT(l.account) <> 2
                    """
            ) { "the lines of the movement \($0) must be 2 that sum to 0, and sum to \($1)" },
            Rule(
                query: """
                    SELECT account, CAST(position AS TEXT) FROM (
                        SELECT account, position, amount, balance,
                            LAG(balance, 1, 0) OVER (PARTITION BY account ORDER BY position) AS before,
                            ROW_NUMBER() OVER (PARTITION BY account ORDER BY position) AS expected
                        FROM creditLine WHERE position IS NOT NULL) AS lines
                    WHERE balance <> before + amount OR position <> expected OR balance < 0
                    """
            ) {
                "the balance of line \($1) of \($0) is not that of the line before plus the amount, or a line is missing"
            },
            Rule(
                query: """
                    SELECT a.account, CAST(a.lineCount AS TEXT) FROM creditAccount AS a
                    WHERE a.lineCount <> (SELECT COUNT(*) FROM creditLine AS l WHERE l.account = a.account)
                    """
            ) { "the account \($0) must have \($1) lines" },
            Rule(
                query: """
                    SELECT r.id, CAST(r.price AS TEXT) FROM rental AS r
                    LEFT JOIN creditMovement AS m ON m.rentalID = r.id AND m.reason = 'rental'
                    LEFT JOIN creditLine AS l ON l.movement = m.number AND l.account = 'club/rentals'
                    WHERE r.price <> COALESCE(l.amount, 0)
                    """
            ) { "the rental \($0) costs \($1), and another amount was paid" },
            Rule(
                query: """
                    SELECT r.id, r.endReason FROM rental AS r
                    WHERE r.price > 0 AND (r.endReason IN ('refunded', 'title-removed')) <> EXISTS (
                        SELECT 1 FROM creditMovement AS m WHERE m.rentalID = r.id AND m.reason = 'refund')
                    """
            ) { "the rental \($0) ended as \($1), which does not agree with its refunds" },
            Rule(
                query: """
                    SELECT m.id, CAST(l.remaining AS TEXT) FROM creditLot AS l
                    JOIN creditMovement AS m ON m.number = l.movement
                    WHERE l.remaining
                        <> l.amount - COALESCE((SELECT SUM(u.amount) FROM creditLotUse AS u WHERE u.lot = l.number), 0)
                    """
            ) { "\($1) of the expiring credits of the movement \($0) are left, which does not match their uses" },
            Rule(
                query: """
                    SELECT lots.account, CAST(lots.remaining AS TEXT) FROM (
                        SELECT account, SUM(remaining) AS remaining FROM creditLot GROUP BY account) AS lots
                    WHERE lots.remaining > COALESCE((
                        SELECT l.balance FROM creditLine AS l WHERE l.account = lots.account
                        ORDER BY l.position DESC LIMIT 1), 0)
                    """
            ) { "the account \($0) has \($1) expiring credits, which is more than its balance" },
            Rule(
                query: """
                    SELECT m.id, CAST(l.amount AS TEXT) FROM creditMovement AS m
                    JOIN creditLine AS l ON l.movement = m.number AND l.position IS NULL
                    WHERE m.reason = 'expired'
                        AND l.amount
                            <> COALESCE((SELECT SUM(u.amount) FROM creditLotUse AS u WHERE u.movement = m.number), 0)
                    """
            ) { "the movement \($0) ends \($1) credits, and another amount had ended" },
            Rule(
                query: """
                    SELECT m.id, CAST(lots.amount AS TEXT) FROM (
                        SELECT movement, SUM(amount) AS amount FROM creditLot GROUP BY movement) AS lots
                    JOIN creditMovement AS m ON m.number = lots.movement
                    JOIN creditLine AS l ON l.movement = m.number AND l.position IS NOT NULL
                    WHERE lots.amount > l.amount
                    """
            ) { "of the credits of the movement \($0), \($1) end, which are more than it has given" },
        ]

    static func run(_ db: any SQLConnection) throws -> LedgerReport {
        let findings = try rules.flatMap { rule in
            try db.rows(
                """
                WITH finding(name, detail) AS (\(rule.query))
                SELECT name, detail FROM finding LIMIT \(LedgerReport.maximumFindingCountPerRule)
                """
            ) { row in rule.sentence(try row.value("name"), try row.optional("detail") ?? "not ended") }
        }
        let integer = db.dialect.name(of: .integer)
        return LedgerReport(
            movementCount: try db.firstValue("SELECT COUNT(*) FROM creditMovement") ?? 0,
            lineCount: try db.firstValue("SELECT COUNT(*) FROM creditLine") ?? 0,
            accountCount: try db.firstValue("SELECT COUNT(*) FROM creditAccount") ?? 0,
            memberTotal: try db.firstValue(
                """
                SELECT CAST(COALESCE(SUM(amount), 0) AS \(integer)) FROM creditLine WHERE position IS NOT NULL
                """) ?? 0,
            findings: findings)
    }
}
