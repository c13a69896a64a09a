//! Normalisations, whose methods are those of `array/dynamic/normalization.rs`.

use super::operation::operation_rows;

operation_rows! {
    topic "Normalisation of channels" {
        group_norm: 1 "Float" "" "nn.functional.group_norm" "";
        instance_norm: 1 "Float" "" "nn.functional.instance_norm" "";
        batch_norm: 3 "Float" "" "nn.functional.batch_norm" "batch_norm_inference";
    }
}
