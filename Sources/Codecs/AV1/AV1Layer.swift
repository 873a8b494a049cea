/// The layers of a frame, from the extension of its OBU's header (AV1 bitstream specification §5.3.3).
struct AV1Layer: Sendable, Hashable {
    var temporal: UInt8 = 0
    var spatial: UInt8 = 0
}
