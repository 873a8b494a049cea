import LiveChannels
import Packaging
import ServiceLifecycle
import VODLibrary

/// Makes the channels' slates with the library's worker, one after the other.
struct LibrarySlates: SlateSource, Service {
    private let library: VODLibrary
    private let requests: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation

    private struct Request: Sendable {
        var shape: SlateShape
        var design: SlateDesign
        var channel: String
        var present: Slate?
        var completion: @Sendable (Result<Slate, any Error>) -> Void
    }

    /// Limit of waiting requests: one per channel that `channels.json` may have.
    private static let maximumWaitingCount = 256

    struct TooManyRequests: Error, CustomStringConvertible {
        var description: String { "too many slates are being made" }
    }

    init(library: VODLibrary) {
        self.library = library
        (requests, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maximumWaitingCount))
    }

    func makeSlate(
        _ shape: SlateShape, design: SlateDesign, channel: String, present: Slate?,
        completion: @escaping @Sendable (Result<Slate, any Error>) -> Void
    ) {
        let request = Request(
            shape: shape, design: design, channel: channel, present: present, completion: completion)
        switch continuation.yield(request) {
        case .enqueued: break
        default: completion(.failure(TooManyRequests()))
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await request in requests {
                do {
                    let slate = try await library.makeSlate(
                        request.shape, file: request.design.file, title: request.design.title, name: request.channel,
                        present: request.present)
                    request.completion(.success(slate))
                } catch {
                    request.completion(.failure(error))
                }
            }
        }
    }
}
