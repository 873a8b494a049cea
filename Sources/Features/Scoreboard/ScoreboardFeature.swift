import APIContract
import Accounts
import Database
import Events
import HTTPEndpoints
import MediaWorker
import Scoreboard
import ServiceLifecycle
import WebAPI
import WebSite
import Webhooks
import Workflows

/// Matches whose score is kept on a channel.
struct ScoreboardFeature: Feature {
    static let schemas = [ScoreboardSchema.schema]
    static let events = [
        EventKind(.channel, [.scoreChanged, .strategyChanged]) { name, _, audiences in audiences.channel(name) }
    ]

    private let scoreboard: Scoreboard
    private let api: ScoreboardEndpoints
    private let strategies: StrategyEndpoints
    private let results: ResultPublishing
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let scoreboard = try await Scoreboard.open(
            ground.database, program: Product.version, wallClock: ground.wallClock)
        parts.add(scoreboard)
        parts.add(ResultDocuments(DocumentWorkerProcess()))
        if let mail = ground.mail {
            parts.add(ResultMails(mail.resultMails(), uptime: ground.equipment.uptime))
        }
        guard let journal = parts[EventJournal.self] else { return }
        scoreboard.observe { match, db in
            try EventJournal.append([match.event(at: journal.now)], db)
            db.afterCommit { journal.wake() }
        }
        scoreboard.observeDisplays { channel, db in
            try EventJournal.append(
                [NewEvent(.strategyChanged, EventSubject(.channel, channel), at: journal.now, [])], db)
            db.afterCommit { journal.wake() }
        }
    }

    init?(_ station: Station) {
        guard let scoreboard = station.parts[Scoreboard.self], let documents = station.parts[ResultDocuments.self]
        else { return nil }
        (self.scoreboard, self.station) = (scoreboard, station)
        results = ResultPublishing(documents, mails: station.parts[ResultMails.self]) { [parts = station.parts] in
            (parts[CurrentFace.self]?.face ?? StationFace()).name
        }
        api = ScoreboardEndpoints(
            scoreboard: scoreboard, channels: station.content, titles: station.content, results: results,
            journal: station.parts[EventJournal.self], photos: station.photos)
        strategies = StrategyEndpoints(scoreboard: scoreboard, channels: station.content)
    }

    var endpoints: [Endpoint] { api.endpoints + strategies.endpoints }

    func services(on ground: Ground) -> [any Service] {
        [
            ScoreAnnouncements(
                scoreboard, channels: station.content, wallClock: ground.wallClock, logger: ground.logger),
            BoardDrawings(scoreboard, channels: station.content, logger: ground.logger),
        ]
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] {
        try await api.export(of: member) + strategies.export(of: member)
    }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        ScoreboardPages(
            pages: frame, scoreboard: scoreboard, channels: station.content, publishing: results
        ).endpoints
    }
}
