import FastPathSwitch
import APIContract
import HLSDelivery
import HTTPEndpoints
import Hummingbird
import HummingbirdCore
import Logging
import LogMetadata
import NIOCore
import NIOPosix
import RTMPServer
import RTSPServer
import ServerSettings
import ServiceLifecycle
import StreamConnections
import TransportSecurity

/// The listeners that serve HTTP: the HTTP port, the HTTPS port, and the port shared with RTSP.
struct HTTPListeners {
    let configuration: ServerSettings.ServerConfiguration
    let delivery: MediaDelivery
    let endpoints: EndpointTable
    let rtsp: RTSPServer
    let rtmp: RTMPServer
    let webSocket: WebSocketUpgrade
    /// The certificate of HTTPS, which offers ``HTTPSChannel/applicationProtocols``; `nil` if there is none.
    let identity: TLSIdentity?
    let ports: ListenerPorts
    let group: MultiThreadedEventLoopGroup
    let connections: HTTPConnectionRegistry
    /// The memory that requests of all listeners may take together.
    let budget: RequestBudget
    /// The tasks of the router of all listeners.
    let tasks = RouterTasks()
    /// Whether a request is from an operator, for whom there is a reserve of connections.
    let isOperator: OperatorReserveHandler.Check
    let logger: Logger

    var services: [any Service] {
        var services: [any Service] = [
            ListeningService(
                service: listener(
                    limited(canBeTaken: true) { [http] responder in
                        PlainHTTPChannel(responder: responder, configuration: http)
                    },
                    name: .http, host: configuration.http.host,
                    port: configuration.http.port),
                flag: "--http", endpoint: configuration.http)
        ]
        if let https = configuration.https, let identity {
            let secure = limited(canBeTaken: false) { [http] responder in
                HTTPSChannel(identity: identity, responder: responder, configuration: http)
            }
            services.append(
                ListeningService(
                    service: listener(secure, name: .https, host: https.host, port: https.port), flag: "--https",
                    endpoint: https))
        }
        guard let port = configuration.wowzaPort else { return services }
        let service = listener(
            { [http, rtsp, rtmp, connections] responder in
                SharedPortChannel(
                    http: PlainHTTPChannel(responder: responder, configuration: http), rtsp: rtsp, rtmp: rtmp,
                    connections: connections)
            }, name: .wowza, host: configuration.http.host, port: port)
        if configuration.isWowzaPortRequired {
            services.append(
                ListeningService(
                    service: service, flag: "--wowza-port",
                    endpoint: SocketEndpoint(host: configuration.http.host, port: port)))
        } else {
            services.append(
                DispensableService(service: service, logger: logger) { [ports] in ports.set(.wowza, port: nil) })
        }
        return services
    }

    private func limited<Wrapped: ServerChildChannel>(
        canBeTaken: Bool, _ channel: @escaping @Sendable (@escaping HTTPChannelHandler.Responder) -> Wrapped
    ) -> @Sendable (@escaping HTTPChannelHandler.Responder) -> LimitedChannel<Wrapped> {
        { [connections] responder in
            LimitedChannel(wrapped: channel(responder), registry: connections, canBeTaken: canBeTaken)
        }
    }

    private var http: HTTPConnectionConfiguration {
        HTTPConnectionConfiguration(budget: budget, tasks: tasks, webSocket: webSocket) {
            [connections, delivery, isOperator] in
            OperatorReserveHandler.handlers(registry: connections, delivery: delivery, isOperator: isOperator)
        }
    }

    private func listener<Child: ServerChildChannel>(
        _ child: @escaping @Sendable (@escaping HTTPChannelHandler.Responder) -> Child, name: ListenerName,
        host: String, port: Int
    ) -> any Service where Child.Value: ServedLater {
        let responder = endpoints.router().buildResponder()
        let onStart = { @Sendable [ports] (channel: any Channel) async in
            ports.set(name, port: channel.localAddress?.port ?? 0)
        }
        guard FastPaths.takes(.heldConnections) else {
            return Application(
                responder: responder, server: HTTPServerBuilder { child($0) },
                configuration: ApplicationConfiguration(
                    address: .hostname(host, port: port), serverName: Product.name),
                onServerRunning: onStart, eventLoopGroupProvider: .shared(group), logger: logger)
        }
        return HTTPService(
            child: child, responder: responder, host: host, port: port, group: group, logger: logger, onStart: onStart)
    }
}

/// A listener that was not requested explicitly: if its port is in use, the server runs without it.
private struct DispensableService: Service {
    let service: any Service
    let logger: Logger
    let onAbsence: @Sendable () -> Void

    func run() async throws {
        do {
            try await service.run()
        } catch let error as IOError {
            logger.warning(
                "port for Wowza apps is in use; free it, choose another with --wowza-port, or use --wowza-port off",
                metadata: [.wowzaPort: "\(ServerSettings.ServerConfiguration.defaultWowzaPort)", .error: "\(error)"])
            onAbsence()
            try? await gracefulShutdown()
        }
    }
}
