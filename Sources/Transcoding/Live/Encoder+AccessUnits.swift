import CLibAV
import Codecs
import LibAV
import MediaCore

extension Encoder {
    /// Encodes a frame as H.264 without reordering, and passes on the units that are ready.
    ///
    /// - Parameters:
    ///   - frame: the frame; `nil` for the rest.
    ///   - start: the origin of the encoder's times.
    ///   - emit: gets the units, with times from zero on.
    func encode(_ frame: Frame?, from start: Int64, _ emit: (AccessUnit) -> Void) throws(LibAVError) {
        try encode(frame) { packet throws(LibAVError) in
            guard let time = packet.presentationTime else { return }
            let units = AnnexB.slices(of: packet.bytes)
            guard !units.isEmpty else { return }
            emit(
                AccessUnit(
                    decodeTime: start + time, presentationTime: start + time,
                    isRandomAccessPoint: packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0,
                    payload: .nalUnits(units)))
        }
    }
}
