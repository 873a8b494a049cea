package import LiveChannels
package import NIOPosix

/// All endpoints that the gateway serves through its router.
package struct GatewayEndpoints: Sendable {
    package let table: EndpointTable

    /// - Parameters:
    ///   - presets: the presets of the current configuration, evaluated for each request.
    ///   - operators: authorizes requests that change something.
    ///   - titleKeys: `nil` if titles cannot be encrypted.
    ///   - reloader: `nil` if the configuration cannot be reloaded.
    ///   - threadPool: reads files sent to viewers.
    ///   - rtspPort: the port of the RTSP listener, shown on the about page and to broadcasters.
    package init(
        content: any ContentSource, presets: @autoclosure @escaping @Sendable () -> [QualityPreset],
        operators: OperatorGate, titleKeys: TitleKeys? = nil, reloader: (any ChannelsReloading)? = nil,
        threadPool: NIOThreadPool = .singleton, rtspPort: @escaping @Sendable () -> Int
    ) {
        let about = AboutPage(content: content)
        table = EndpointTable(
            APIEndpoints(
                content: content, presets: presets, titleKeys: titleKeys, about: about, rtspPort: rtspPort
            ).endpoints
                + JobEndpoints(content: content).endpoints + UploadEndpoints(content: content).endpoints
                + PosterEndpoints(content: content).endpoints
                + [MetadataEndpoint(content: content).endpoint]
                + [ReloadEndpoint(reloader: reloader).endpoint]
                + [TitleEncryptionEndpoint(content: content, keys: titleKeys).endpoint]
                + OperationsEndpoints(content: content).endpoints
                + FileEndpoints(content: content, threadPool: threadPool).endpoints
                + [about.endpoint]
                + SiteEndpoints(content: content, about: about, rtspPort: rtspPort).endpoints,
            operators: operators)
    }
}
