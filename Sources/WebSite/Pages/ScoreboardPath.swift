import APIContract

/// The paths of the pages of matches.
enum ScoreboardPath {
    /// All courts.
    static let all = "/marcador"
    static let newMatch = "/marcador/partidos/nuevo"
    /// The matches that a tablet keeps, which works without a network.
    static let tablet = "/marcador/partidos/tableta"

    /// Drawings on courts. The name stands among those of matches, so that no channel has the same address.
    static let strategy = "/marcador/partidos/estrategia"

    /// The players of matches.
    static let players = "/marcador/partidos/jugadores"
    static let newPlayer = "\(players)/nuevo"
    static let importPlayers = "\(players)/importar"

    static func player(_ id: String) -> String { "\(players)/\(id)" }

    /// The board of a channel, for a projector.
    static func board(ofChannel name: String) -> String { "\(all)/\(PathEncoding.component(name))" }

    /// The page on which a referee keeps the score of a match.
    static func match(_ id: String) -> String { "\(all)/partidos/\(id)" }

    /// All results.
    static let results = "/marcador/partidos/resultados"

    /// Sends results by mail.
    static let mail = "\(results)/correo"

    /// Chooses whether lists tell results.
    static let hiding = "\(results)/ocultar"

    /// The result of a match.
    static func result(_ id: String) -> String { "\(match(id))/resultado" }

    /// The statistics of a player.
    static func statistics(ofPlayer id: String) -> String { "\(all)/partidos/estadisticas/\(id)" }

    /// A file with results.
    ///
    /// - Parameters:
    ///   - format: pdf or csv.
    ///   - query: the filter as a query, such as "competition=Open"; empty for all.
    static func file(_ format: String, _ query: String) -> String {
        "/api/v1/matches?format=\(format)\(query.isEmpty ? "" : "&\(query)")"
    }
}
