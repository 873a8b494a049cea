package import Database

/// The structure of a database besides rows, as lines of text: columns, keys, conditions, references and indexes.
package struct DatabaseStructure: Sendable {
    package let lines: Set<String>

    package init(_ db: any SQLConnection) throws {
        lines = Set(
            try {
                switch db.dialect {
                case .sqlite: try Self.sqlite(db)
                case .postgreSQL: try Self.postgreSQL(db)
                }
            }())
    }

    private static func rows(_ sql: String, _ db: any SQLConnection) throws -> [String] {
        try db.rows(sql) { try $0.value(0) as String }
    }

    /// One space instead of several, no quotation marks around names.
    private static func plain(_ sql: String) -> String {
        sql.replacing("\"", with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: SQLite

    private static func sqlite(_ db: any SQLConnection) throws -> [String] {
        let tables = try db.rows(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) { row in (name: try row.value("name") as String, sql: try row.value("sql") as String) }
        let definitions = tables.flatMap { table in
            let sql = plain(table.sql)
            if sql.hasPrefix("CREATE VIRTUAL") { return ["\(table.name): \(sql)"] }
            return checks(sql).map { "\(table.name): \($0)" }
                + ["\(table.name): \(sql.contains("AUTOINCREMENT") ? "is numbered" : "exists")"]
        }
        return try definitions
            + rows(
                """
                SELECT m.name || '.' || c.name || ' ' || c.type || ' required ' || c."notnull"
                    || ' key ' || c.pk || ' default ' || coalesce(c.dflt_value, 'none')
                FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'
                """, db)
            + rows(
                """
                SELECT m.name || '.' || r."from" || ' references ' || r."table" || '.' || r."to" || ' ' || r.on_delete
                    || ' ' || r.on_update
                FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS r WHERE m.type = 'table'
                """, db)
            + rows(
                """
                SELECT m.name || ' has ' || CASE WHEN i.origin = 'c' THEN i.name ELSE i.origin END || ' unique '
                    || i."unique" || ' partial ' || i.partial || ' of ' || (
                        SELECT group_concat(coalesce(x.name, 'expression') || ' ' || x."desc" || ' ' || x.coll)
                        FROM pragma_index_xinfo(i.name) AS x WHERE x.key = 1)
                FROM sqlite_master AS m JOIN pragma_index_list(m.name) AS i WHERE m.type = 'table'
                """, db)
            + rows("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL", db).map(plain)
    }

    /// The conditions in a definition.
    private static func checks(_ sql: String) -> [String] {
        sql.ranges(of: "CHECK (").map { range in
            var depth = 1
            let end = sql[range.upperBound...].firstIndex { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth == 0
            }
            return String(sql[range.lowerBound..<(end ?? sql.endIndex)])
        }
    }

    // MARK: PostgreSQL

    private static func postgreSQL(_ db: any SQLConnection) throws -> [String] {
        let schema: String = try db.firstValue("SELECT current_schema()::text") ?? ""
        let lines =
            try rows(
                """
                SELECT (t.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' '
                    || coalesce((SELECT collname FROM pg_collation AS c WHERE c.oid = a.attcollation), 'none')
                    || ' required ' || a.attnotnull::text || ' identity ' || a.attidentity::text || ' generated ' || a.attgenerated::text
                    || ' default ' || coalesce(pg_get_expr(d.adbin, d.adrelid), 'none'))::text
                FROM pg_attribute AS a JOIN pg_class AS t ON t.oid = a.attrelid
                LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' AND a.attnum > 0
                    AND NOT a.attisdropped
                """, db)
            + rows(
                """
                SELECT (t.relname || ' ' || pg_get_constraintdef(c.oid))::text
                FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
                WHERE t.relnamespace = current_schema()::regnamespace AND c.contype IN ('p', 'u', 'f', 'c')
                """, db)
            + rows(
                """
                SELECT pg_get_indexdef(i.indexrelid)::text FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid
                WHERE t.relnamespace = current_schema()::regnamespace
                    AND NOT EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conindid = i.indexrelid)
                """, db)
        return lines.map { $0.replacing("\(schema).", with: "") }
    }
}
