package import HLSDelivery
package import HTTPEndpoints
package import MediaCore
package import NIOPosix
package import StreamRelays
package import Workflows

/// A server of which features are made: what every server has, and the ``Parts`` that this one has.
package struct Station: Sendable {
    package let content: any ContentSource
    package let authority: RequestAuthority
    package var parts: Parts

    /// The presets of the current configuration.
    package var presets: @Sendable () -> [QualityPreset] = { [] }
    /// The ports of the listeners.
    package var ports = StationPorts()
    /// Reads the files that are sent to viewers.
    package var threadPool = NIOThreadPool.singleton
    /// The metrics of the server's own parts: live media, RTSP, HTTP, the database and the media store.
    package var metrics: @Sendable () async -> [MetricFamily] = { [] }
    package var http = HTTPPolicy()

    /// Sends mail about accounts; `nil` if the server cannot.
    package var mailer: (any AccountMailer)?
    /// Fetches pictures of members from identity providers; `nil` for a server that fetches none.
    package var pictures: (any PictureFetching)?
    /// `nil` if titles cannot be encrypted.
    package var titleKeys: TitleKeys?
    /// The address of the media store, for people; `nil` for a server without one.
    package var mediaStore: String?
    /// `nil` if the configuration cannot be reloaded.
    package var reloader: (any ChannelsReloading)?
    /// The sources and copies of channels; `nil` in tests without any.
    package var relays: StreamRelays?
    /// Sends media, and decides who may watch; `nil` in tests without media.
    package var delivery: MediaDelivery?

    /// - Parameters:
    ///   - content: the library and the channels that are shown.
    ///   - authority: finds out who sends a request.
    ///   - parts: the domains.
    package init(content: any ContentSource, authority: RequestAuthority, parts: Parts = Parts()) {
        (self.content, self.authority, self.parts) = (content, authority, parts)
    }

    var photos: PhotoUpload { PhotoUpload(library: content.library, pictures: pictures) }
    var publicAddress: PublicAddress? { authority.publicAddress }
}
