import Codecs
import MediaCore
import NIOCore

extension AccessUnit {
    /// The frame with its parameter sets in front of it. Used for the first frame after a discontinuity.
    ///
    /// The parameter sets are in the initialization section as well, and players are not required to read anything
    /// else. But ffmpeg's HLS demuxer, and therefore mpv's, reads only the first section of a playlist ("Found
    /// duplicated MOOV Atom. Skipped it") and would show garbage if the next publisher, or the slate, was encoded
    /// differently.
    func withParameterSets(of configuration: CodecConfiguration) -> AccessUnit {
        guard case .nalUnits(let units) = payload else { return self }
        var unit = self
        unit.payload = .nalUnits(
            configuration.parameterSets.map { FragmentedNALUnit(ByteBuffer(bytes: $0)) } + units)
        return unit
    }
}
