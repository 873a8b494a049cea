package import Codecs
package import DASHManifest

extension ColorDescription {
    /// The properties that tell players of high dynamic range before they fetch anything (ISO/IEC 23091-2); empty for
    /// standard dynamic range.
    package var dashProperties: [DASHDescriptor] {
        guard videoRange != .standard else { return [] }
        return [
            ("ColourPrimaries", primaries), ("TransferCharacteristics", transferCharacteristics),
            ("MatrixCoefficients", matrixCoefficients),
        ].map { DASHDescriptor("urn:mpeg:mpegB:cicp:\($0)", "\($1)") }
    }
}
