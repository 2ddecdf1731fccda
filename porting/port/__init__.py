"""Carries out translations: finds gradients in files, translates them, and checks them against their source."""
