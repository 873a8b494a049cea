import NIOCore
import RTSPServer
import ServerSettings
import ServiceLifecycle

/// The RTSP and RTSPS listeners. Reports their ports when they are bound; if an address cannot be bound, the error
/// names the flag to change.
struct RTSPListeners: Service {
    let server: RTSPServer
    let configuration: ServerConfiguration
    let ports: ListenerPorts

    func run() async throws {
        async let reported: Void = report()
        do {
            try await server.run()
        } catch let error as RTSPListenerError {
            switch error.listener {
            case .plain: throw configuration.rtsp.explain(error.cause, flag: "--rtsp")
            case .secure: throw (configuration.rtsps ?? configuration.rtsp).explain(error.cause, flag: "--rtsps")
            }
        }
        await reported
    }

    private func report() async {
        guard let port = try? await server.boundAddress().port else { return }
        ports.set(.rtsp, port: port)
        guard let port = try? await server.boundSecureAddress().port else { return }
        ports.set(.rtsps, port: port)
    }
}
