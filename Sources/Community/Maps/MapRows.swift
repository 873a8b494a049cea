import Accounts
import Catalogue
import Database

/// The rows of the maps of competitions. Each function runs inside the transaction of its caller.
enum MapRows {
    static func map(of competition: Competition, _ db: any SQLConnection) throws -> CompetitionMap? {
        try db.firstValue("SELECT content FROM competitionMap WHERE competition = ?1", .integer(competition.number))
            .flatMap { CompetitionMap(stored: $0) }
    }

    /// The image of a map; `nil` if there is none.
    static func image(of id: OpaqueID, _ db: any SQLConnection) throws -> [UInt8]? {
        try db.first(
            """
            SELECT jpeg FROM competitionMap
            WHERE competition = (SELECT number FROM competition WHERE id = ?1) AND jpeg IS NOT NULL
            """, [.text(id.text)]
        ) { row in try row.value(0) }
    }

    /// - Parameter jpeg: the image of the map; `nil` for a map of lines.
    static func set(
        _ map: CompetitionMap?, jpeg: [UInt8]?, of competition: Competition, _ db: any SQLConnection
    ) throws {
        guard let map else {
            try db.execute("DELETE FROM competitionMap WHERE competition = ?1", .integer(competition.number))
            return
        }
        try db.execute(
            MapSchema.maps.upsert, .integer(competition.number), .text(try map.stored()),
            jpeg.map { .blob($0) } ?? .null)
    }

    /// The statement that reads a map and what is on it: a row with the map, and one for each video, the newest first,
    /// with a place.
    static func shown(_ query: MapQuery, _ dialect: SQLDialect) -> (sql: String, arguments: [SQLValue]) {
        let title = VideoRows.title
        var arguments: [SQLValue] = [.text(query.competition.text), SQLValue(MapPoint.maximumCount)]
        func parameter(_ value: SQLValue) -> String {
            arguments.append(value)
            return "?\(arguments.count)"
        }
        var conditions = [
            """
            v.competition = (SELECT map.competition FROM competitionMap AS map
                WHERE map.competition = (SELECT number FROM competition WHERE id = ?1))
            """, MapSchema.isOnMaps, title.isReady,
        ]
        if let day = query.day { conditions.append("v.day = \(parameter(SQLValue(day)))") }
        if let visible = query.visible { conditions.append(visible.condition(title.name) { parameter($0) }) }
        if let reader = query.reader {
            conditions.append(BarrierRows.isNotMuted(by: parameter(.text(reader.text)), "v.ownerID"))
        }
        let none = "CAST(NULL AS \(dialect.name(of: .real)))"
        // In this order, so that the index is walked and titles are looked up.
        let sql = """
            SELECT content AS text, '' AS id, \(none) AS latitude, \(none) AS longitude
            FROM competitionMap WHERE competition = (SELECT number FROM competition WHERE id = ?1)
            UNION ALL SELECT * FROM (
                SELECT v.name, v.id, v.latitude, v.longitude FROM communityVideo AS v CROSS JOIN \(title.table)
                WHERE \(title.condition("v.titleNumber")) AND \(conditions.joined(separator: " AND "))
                ORDER BY v.number DESC LIMIT ?2) AS places
            """
        return (sql, arguments)
    }

    /// - Returns: the map and what is on it; `nil` if the competition has no map.
    static func shown(
        _ query: MapQuery, _ db: any SQLConnection
    ) throws -> (map: CompetitionMap, points: [MapPoint])? {
        let statement = shown(query, db.dialect)
        var map: CompetitionMap?
        var points: [MapPoint] = []
        _ = try db.rows(statement.sql, statement.arguments) { row in
            let text: String = try row.value("text")
            guard let latitude: Double = try row.optional("latitude"),
                let longitude: Double = try row.optional("longitude")
            else {
                map = CompetitionMap(stored: text)
                return
            }
            if let place = GeographicPoint(latitude: latitude, longitude: longitude) {
                points.append(MapPoint(video: try row.value("id"), name: text, place: place))
            }
        }
        return map.map { ($0, points) }
    }
}
