/// One rendition (ISO/IEC 23009-1:2022 §5.3.5).
package struct Representation: Sendable, Hashable {
    package enum Media: Sendable, Hashable {
        /// Segments, as the template says.
        case segments(SegmentTemplate)
        /// One file, at this address.
        case file(String)
    }

    /// The name, without spaces.
    package var id: String
    /// Bits per second that carry it.
    package var bandwidth: Int
    /// The codecs (RFC 6381); `nil` for subtitles in a file and for images.
    package var codecs: String?
    /// Width and height in pixels; `nil` for what is not seen.
    package var size: (width: Int, height: Int)? {
        get { width.flatMap { width in height.map { (width, $0) } } }
        set { (width, height) = (newValue?.width, newValue?.height) }
    }
    private var width, height: Int?
    /// Frames per second; `nil` if that is not known.
    package var frameRate: Double?
    /// Samples of audio per second.
    package var sampleRate: Int?
    package var channelCount: Int?
    package var essentialProperties: [DASHDescriptor] = []
    package var media: Media

    private static let channelScheme = "urn:mpeg:dash:23003:3:audio_channel_configuration:2011"

    package init(id: String, bandwidth: Int, codecs: String? = nil, media: Media) {
        (self.id, self.bandwidth, self.codecs, self.media) = (id, bandwidth, codecs, media)
    }

    func write(into writer: inout XMLWriter) {
        var attributes: [XMLAttribute] = [.init("id", id), .init("bandwidth", Int64(max(1, bandwidth)))]
        if let codecs { attributes.append(.init("codecs", codecs)) }
        if let size { attributes += [.init("width", Int64(size.width)), .init("height", Int64(size.height))] }
        if let rate = frameRate.flatMap(Self.ratio) { attributes.append(.init("frameRate", rate)) }
        if let sampleRate { attributes.append(.init("audioSamplingRate", Int64(sampleRate))) }
        writer.element("Representation", attributes) { writer in
            if let channelCount {
                DASHDescriptor(Self.channelScheme, "\(channelCount)")
                    .write("AudioChannelConfiguration", into: &writer)
            }
            for property in essentialProperties { property.write("EssentialProperty", into: &writer) }
            switch media {
            case .segments(let template): template.write(into: &writer)
            case .file(let address): writer.element("BaseURL", text: address)
            }
        }
    }

    /// A rate as a ratio of whole numbers: 29.97 is 30000/1001.
    static func ratio(_ rate: Double) -> String? {
        guard rate.isFinite, rate > 0, rate < 1_000_000 else { return nil }
        if rate == rate.rounded() { return "\(Int(rate))" }
        let television = (rate * 1.001).rounded()
        if television > 0, abs(television / 1.001 - rate) < 0.001 { return "\(Int(television) * 1_000)/1001" }
        return "\(Int((rate * 1_000).rounded()))/1000"
    }
}
