import RTMPServer
import ServerSettings
import ServiceLifecycle

/// The RTMP and RTMPS listeners, whose errors name their flags.
struct RTMPListeners: Service {
    let server: RTMPServer
    let configuration: ServerConfiguration

    func run() async throws {
        do {
            try await server.run()
        } catch let error as RTMPListenerError {
            let (endpoint, flag) =
                error.listener == .plain ? (configuration.rtmp, "--rtmp") : (configuration.rtmps, "--rtmps")
            guard let endpoint else { throw error }
            throw endpoint.explain(error.cause, flag: flag)
        }
    }
}
