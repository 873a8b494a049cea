import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LogMetadata
import Logging
import MediaCore
import NIOCore
import ServiceLifecycle
import SiteTexts
import Workflows

/// The newest lines of the server's log, with a filter; new ones come as server-sent events.
struct LogPage: Sendable {
    let log: LogTail

    private static let rule = AccessRule.needs(.manage, .system)
    /// Number of lines that the page shows.
    private static let lineCount = 200
    /// The time between two looks for new lines.
    private static let interval = Duration.seconds(1)
    private static let levels: [Logger.Level] = [.debug, .info, .notice, .warning, .error]
    private let stream = OperatorStream(every: Self.interval, refusal: "too many logs are open")

    init(log: LogTail) { self.log = log }

    /// The lines that an operator wants.
    private struct Wanted {
        var level = Logger.Level.info
        var words = ""

        init(_ request: Request) {
            if let level = PageRequest.value(of: "level", in: request).flatMap(Logger.Level.init(rawValue:)) {
                self.level = level
            }
            words = String((PageRequest.value(of: "q", in: request) ?? "").prefix(100))
        }

        var query: String { "level=\(level.rawValue)&q=\(SitePage.queryComponent(words))" }
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, OperatorPath.log, Self.rule) { request, context in
                let page = SitePage(.operatorLog, request, context)
                let (text, wanted) = (DashboardText.of(page.text.siteLanguage), Wanted(request))
                let lines = log.lines(level: wanted.level, words: wanted.words).suffix(Self.lineCount)
                return try page.response(
                    [
                        "d": text, "lines": lines.map { Self.values($0, page) }, "query": wanted.words,
                        "events": "\(OperatorPath.logEvents)?\(wanted.query)&after=\(lines.last?.number ?? 0)",
                        "levels": Self.levels.map {
                            ["value": $0.rawValue, "current": $0 == wanted.level] as [String: Any]
                        }, "isEmpty": lines.isEmpty, "dashboard": OperatorPath.dashboard,
                    ], title: text.log)
            },
            Endpoint(.get, OperatorPath.logEvents, Self.rule, handler: listen),
        ]
    }

    private static func values(_ line: LogTail.Line, _ page: SitePage) -> [String: Any] {
        [
            "level": line.level.rawValue, "message": SitePage.displayed(line.message),
            "metadata": SitePage.displayed(line.metadata), "isBad": line.level >= .warning,
            "time": PageText(WallClockTime(line.time), locale: page.text.siteLanguage.locale).values,
        ]
    }

    private func listen(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let wanted = Wanted(request)
        let start = PageRequest.value(of: "after", in: request).flatMap { Int($0) } ?? 0
        return try stream.response(to: request, context, from: start) { last in
            let lines = log.lines(after: last, level: wanted.level, words: wanted.words).suffix(Self.lineCount)
            last = lines.last?.number ?? last
            let page = SitePage(.operatorLog, request, context)
            return try lines.map { line in
                let html = try SiteTemplates.render(.operatorLogLine, Self.values(line, page))
                return ByteBuffer(string: ServerSentEvents.event("line", html))
            }
        }
    }
}
