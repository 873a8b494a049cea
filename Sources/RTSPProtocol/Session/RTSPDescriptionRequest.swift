/// A reader's question about a presentation, from DESCRIBE or from a SETUP.
package struct RTSPDescriptionRequest: Hashable, Sendable {
    /// The request that asks for the description.
    package enum Purpose: Hashable, Sendable {
        case describing
        /// A SETUP arrived without a DESCRIBE. The description is not sent; its control attributes identify the
        /// tracks.
        case settingUp
    }

    /// URL of the presentation, without a track's segment.
    package var url: RTSPURL
    package var purpose: Purpose
    package var userAgent: String?
}
