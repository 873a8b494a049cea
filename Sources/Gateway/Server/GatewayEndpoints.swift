package import LiveChannels

/// Everything that the gateway answers through its router.
package struct GatewayEndpoints: Sendable {
    package let table: EndpointTable

    /// - Parameters:
    ///   - operators: lets requests through that change something.
    ///   - titleKeys: `nil` where titles cannot be encrypted.
    ///   - rtspPort: the RTSP listener's, shown on the About page.
    package init(
        content: any ContentSource, presets: [QualityPreset], operators: OperatorGate, titleKeys: TitleKeys? = nil,
        rtspPort: @escaping @Sendable () -> Int
    ) {
        let about = AboutPage(content: content)
        table = EndpointTable(
            APIEndpoints(content: content, presets: presets, titleKeys: titleKeys, about: about).endpoints
                + JobEndpoints(content: content).endpoints + UploadEndpoints(content: content).endpoints
                + PosterEndpoints(content: content).endpoints
                + [MetadataEndpoint(content: content).endpoint]
                + [TitleEncryptionEndpoint(content: content, keys: titleKeys).endpoint]
                + OperationsEndpoints(content: content).endpoints
                + FileEndpoints(content: content).endpoints
                + [about.endpoint]
                + SiteEndpoints(content: content, about: about, rtspPort: rtspPort).endpoints,
            operators: operators)
    }
}
