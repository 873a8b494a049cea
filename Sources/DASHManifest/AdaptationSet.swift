/// Renditions of the same content, between which a player may switch (ISO/IEC 23009-1:2022 §5.3.3).
package struct AdaptationSet: Sendable, Hashable {
    package enum Content: String, Sendable, Hashable {
        case video, audio, text, image
    }

    package var content: Content
    /// `video/mp4`, for example.
    package var mediaType: String
    /// The language (RFC 5646); `nil` if it is not known.
    package var language: String?
    /// The name for people; `nil` if nothing but its language tells it apart.
    package var label: String?
    /// Values of `urn:mpeg:dash:role:2011`, such as `main`.
    package var roles: [String]
    /// The encryption of its samples; `nil` if they are in the clear.
    package var protection: ContentProtection?
    /// Descriptions of the people whom it helps, and of captions within the video.
    package var accessibility: [DASHDescriptor] = []
    /// Properties that a player must know to play it.
    package var essentialProperties: [DASHDescriptor] = []
    /// Properties that a player may ignore.
    package var supplementalProperties: [DASHDescriptor] = []
    /// Schemes of the events in its segments.
    package var eventSchemes: [String] = []
    /// Whether every segment can be decoded without others.
    package var isIndependent = true
    package var referenceTime: ProducerReferenceTime?
    package var representations: [Representation]

    package init(
        _ content: Content, mediaType: String, language: String? = nil, label: String? = nil, roles: [String] = [],
        representations: [Representation]
    ) {
        (self.content, self.mediaType, self.language, self.label) = (content, mediaType, language, label)
        (self.roles, self.representations) = (roles, representations)
    }

    static let roleScheme = "urn:mpeg:dash:role:2011"

    func write(number: Int, into writer: inout XMLWriter) {
        var attributes: [XMLAttribute] = [
            .init("id", Int64(number)), .init("contentType", content.rawValue), .init("mimeType", mediaType),
        ]
        if let language { attributes.append(.init("lang", language)) }
        if content == .video || content == .audio {
            // Segments of all its representations begin at the same times.
            attributes.append(.init("segmentAlignment", "true"))
            if isIndependent { attributes.append(.init("startWithSAP", 1)) }
        }
        writer.element("AdaptationSet", attributes) { writer in
            protection?.write(into: &writer)
            for property in essentialProperties { property.write("EssentialProperty", into: &writer) }
            for property in supplementalProperties { property.write("SupplementalProperty", into: &writer) }
            for scheme in eventSchemes { DASHDescriptor(scheme).write("InbandEventStream", into: &writer) }
            if let label { writer.element("Label", text: label) }
            referenceTime?.write(into: &writer)
            for descriptor in accessibility { descriptor.write("Accessibility", into: &writer) }
            for role in roles { DASHDescriptor(Self.roleScheme, role).write("Role", into: &writer) }
            for representation in representations { representation.write(into: &writer) }
        }
    }
}
