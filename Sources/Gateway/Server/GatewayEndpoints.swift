package import LiveChannels
package import NIOPosix

/// Everything that the gateway answers through its router.
package struct GatewayEndpoints: Sendable {
    package let table: EndpointTable

    /// - Parameters:
    ///   - presets: of the configuration as it is at each request.
    ///   - operators: lets requests through that change something.
    ///   - titleKeys: `nil` if titles cannot be encrypted.
    ///   - reloader: `nil` if the configuration cannot be read again.
    ///   - threadPool: reads what viewers are sent.
    ///   - rtspPort: the RTSP listener's, shown on the About page and told to broadcasters.
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
