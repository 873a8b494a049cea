import APIContract
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import LiveChannels
import MediaCore
import StreamRelays
import Workflows

/// The buttons of the dashboard, which change channels, jobs and the configuration. Each form leads
/// back to the page, so that a reload repeats nothing.
struct OperatorActions: Sendable {
    let sources: OperatorSources
    let pages: AccountPages
    /// Called after each action.
    let onChange: @Sendable () async -> Void

    private static let rule = AccessRule.needs(.manage, .system)
    /// The length of a clip that ends now.
    private static let clipLength = Duration.seconds(300)
    /// The priority of a job that is wanted first; higher goes first.
    private static let firstPriority = 100
    /// The parameter of the dashboard that says what was done, or why not.
    static let noticeParameter = "hecho"
    static let problemParameter = "motivo"
    private static let field = "do"

    var endpoints: [Endpoint] {
        [
            Endpoint(.post, OperatorPath.channelTemplate, Self.rule) { request, context in
                let (name, sent) = (try context.parameters.require("name"), try await FormFields(request))
                return try await answer { try await change(channel: name, sent[Self.field] ?? "") }
            },
            Endpoint(.post, OperatorPath.relayTemplate, Self.rule) { request, context in
                let (name, id) = (try context.parameters.require("name"), try context.parameters.require("id"))
                let sent = try await FormFields(request)
                return try await answer { try change(relay: id, of: name, sent[Self.field] ?? "") }
            },
            Endpoint(.post, OperatorPath.jobTemplate, Self.rule) { request, context in
                let sent = try await FormFields(request)
                guard let number = Int64(try context.parameters.require("number")) else {
                    throw ProblemDetails(.notFound)
                }
                return try await answer { try await change(job: number, sent[Self.field] ?? "") }
            },
            Endpoint(.post, OperatorPath.reload, Self.rule) { _, _ in
                try await answer {
                    guard let reloader = sources.reloader else { throw ProblemDetails(.notFound) }
                    _ = try await reloader.reload()
                }
            },
        ]
    }

    private func answer(_ work: () async throws -> Void) async throws -> Response {
        var problem: String?
        do {
            try await work()
        } catch let error as RecordingError {
            problem = error.reason
        } catch let error as ClipError {
            problem = error.reason
        } catch let error as LibraryError {
            problem = ProblemDetails(error).detail
        } catch let error as JSONFileError {
            problem = "\(error)"
        } catch let error as ReloadError {
            problem = "\(error)"
        }
        await onChange()
        let query =
            problem.map { "\(Self.problemParameter)=\(SitePage.queryComponent($0))" } ?? "\(Self.noticeParameter)=1"
        return pages.redirect("\(OperatorPath.dashboard)?\(query)")
    }

    private func change(channel name: String, _ action: String) async throws {
        guard let channel = sources.content.channel(named: name) else { throw ProblemDetails(.notFound) }
        switch action {
        case OperatorPath.disconnect:
            _ = sources.content.disconnectPublisher(ofChannel: name, reason: "an operator has disconnected it")
        case OperatorPath.record: _ = try await sources.content.setRecording(true, ofChannel: name)
        case OperatorPath.stopRecording: _ = try await sources.content.setRecording(false, ofChannel: name)
        case OperatorPath.clip:
            let now = WallClock.system.now()
            // A channel that has just begun has less.
            let since = channel.since.map { WallClockTime($0) } ?? now
            _ = try await sources.content.makeClip(
                ofChannel: name, from: max(since, now - Self.clipLength), to: now, title: nil)
        default: throw ProblemDetails(.unprocessableContent)
        }
    }

    private func change(relay id: String, of channel: String, _ action: String) throws {
        guard action == OperatorPath.startRelay || action == OperatorPath.stopRelay else {
            throw ProblemDetails(.unprocessableContent)
        }
        guard let identifier = RelayIdentifier(channel: channel, text: id),
            sources.relays?.set(identifier, isStopped: action == OperatorPath.stopRelay) == true
        else { throw ProblemDetails(.notFound) }
    }

    private func change(job number: Int64, _ action: String) async throws {
        let library = sources.content.library
        let job =
            switch action {
            case OperatorPath.cancel: try await library.cancelJob(number: number)
            case OperatorPath.retry: try await library.retryJob(number: number)
            case OperatorPath.first: try await library.prioritizeJob(number: number, Self.firstPriority)
            default: throw ProblemDetails(.unprocessableContent)
            }
        guard job != nil else { throw ProblemDetails(.notFound) }
    }
}
