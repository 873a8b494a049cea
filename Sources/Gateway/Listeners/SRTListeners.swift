import SRTServer
import ServerSettings
import ServiceLifecycle

/// The SRT listener, whose error names its flag.
struct SRTListeners: Service {
    let server: SRTServer
    let endpoint: SocketEndpoint

    func run() async throws {
        do {
            try await server.run()
        } catch let error as SRTListenerError {
            throw ServerStartError("--srt \(endpoint): \(error)")
        }
    }
}
