import Codecs
import MediaCore
import NIOCore

extension AccessUnit {
    /// The picture with its parameter sets in front of it, for the first one behind a discontinuity.
    ///
    /// They are in the initialization section, too, and nothing else is asked of players. But ffmpeg's, and so mpv's,
    /// reads only the first section of a playlist ("Found duplicated MOOV Atom. Skipped it") and would show garbage
    /// where the next publisher, or the slate, was encoded otherwise.
    func withParameterSets(of configuration: CodecConfiguration) -> AccessUnit {
        guard case .nalUnits(let units) = payload else { return self }
        var unit = self
        unit.payload = .nalUnits(
            configuration.parameterSets.map { FragmentedNALUnit(ByteBuffer(bytes: $0)) } + units)
        return unit
    }
}
